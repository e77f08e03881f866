//! A member as callers see it.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_domain::Timestamp;
use weir_domain::member::Member;
use weir_domain::person::Identity;

/// Someone who may sign in for the reseller: known by an e-mail address, or by an issuer and what that
/// calls them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Member)]
pub struct MemberView {
    /// The member's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a16")]
    id: Uuid,
    /// The verified e-mail address that they are known by, in lower case.
    #[schema(example = "ada@example.org")]
    email: Option<String>,
    /// The issuer of tokens that knows them.
    issuer: Option<String>,
    /// What the issuer calls them: the `sub` of their tokens.
    subject: Option<String>,
    /// `admin`, who may do everything, or `viewer`, who may look.
    #[schema(value_type = String, example = "admin")]
    role: &'static str,
    /// Since when.
    #[schema(value_type = String, format = DateTime, example = "2026-03-28T08:00:00+00:00")]
    created_at: Timestamp,
}

impl MemberView {
    /// What a member shows.
    pub fn of(member: Member) -> Self {
        let (email, subject) = match member.identity {
            Identity::Email(email) => (Some(email), None),
            Identity::Subject(subject) => (None, Some(subject)),
        };
        Self {
            id: member.id.uuid(),
            email: email.map(|email| email.to_string()),
            issuer: subject.as_ref().map(|subject| subject.issuer().to_owned()),
            subject: subject.map(|subject| subject.subject().to_owned()),
            role: member.role.as_str(),
            created_at: member.created_at,
        }
    }
}
