//! `GET /api/v1/me`

use serde::Serialize;
use utoipa::ToSchema;
use weir_app::credentials::Caller;
use weir_domain::{MemberId, ResellerId};

use crate::auth::AnyCaller;
use crate::envelope::Success;
use crate::error::ApiError;

/// Who is asking, and for whom.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// What they came with: `api_key` or `member`.
    #[schema(example = "member")]
    kind: &'static str,
    /// The name of the key, or how the member is known.
    #[schema(example = "ada@example.org")]
    name: String,
    /// The member, where it is one.
    #[schema(value_type = Option<String>, format = Uuid, example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a60")]
    member_id: Option<MemberId>,
    /// What they may do: `admin` or `viewer`. A key may do everything.
    #[schema(example = "admin")]
    role: &'static str,
    /// The reseller for whom they ask.
    reseller: MyReseller,
}

/// The reseller for whom somebody asks.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyReseller {
    /// Its id, as `X-Reseller-Id` takes it.
    #[schema(value_type = String, format = Uuid, example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a61")]
    id: ResellerId,
    /// Its name.
    #[schema(example = "Reseller One")]
    name: String,
    /// The slug made from its name.
    #[schema(example = "reseller-one")]
    slug: String,
    /// The time zone whose days are its days.
    #[schema(example = "Europe/Amsterdam")]
    timezone: String,
}

impl Me {
    fn of(caller: &Caller) -> Self {
        let reseller = &caller.reseller;
        Self {
            kind: if caller.member.is_some() { "member" } else { "api_key" },
            name: caller.scope.actor().to_owned(),
            member_id: caller.member.as_ref().map(|member| member.id),
            role: caller.role().as_str(),
            reseller: MyReseller {
                id: reseller.id,
                name: reseller.name.to_string(),
                slug: reseller.slug.clone(),
                timezone: reseller.timezone.clone(),
            },
        }
    }
}

/// Tell who is asking
///
/// For an API key and for a signed-in member alike.
#[utoipa::path(
    get,
    path = "/api/v1/me",
    operation_id = "get_me",
    tag = "members",
    security(("api_key" = []), ("bearer" = [])),
)]
pub async fn me(AnyCaller(caller): AnyCaller) -> Result<Success<Me>, ApiError> {
    Ok(Success::of(Me::of(&caller)))
}
