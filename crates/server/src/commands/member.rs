//! `weir member …`

use serde::Serialize;
use weir_api::members::MemberView;
use weir_app::members::{self, MemberRef, NewMember};
use weir_app::{Env, resellers};
use weir_domain::member::{Member, Role};
use weir_domain::person::{Email, Identity, NotASubject, Subject};
use weir_domain::{Refusal, ResellerId};

use super::administer;
use crate::cli::{Identity as Args, Member as Command};
use crate::failure::Failure;
use crate::settings::Settings;
use crate::{output, store};

/// A member as it is printed.
#[derive(Serialize)]
struct Printed {
    reseller_id: ResellerId,
    #[serde(flatten)]
    member: MemberView,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<bool>,
}

/// Does it.
pub async fn run(command: Command, settings: &Settings, json: bool) -> Result<(), Failure> {
    match command {
        Command::Add { reseller, identity, role } => {
            let new = NewMember { identity: known_by(&identity)?, role: read_role(role)? };
            let (db, env) = (store::open(settings)?, Env::system());
            let added = administer(&db, move |tx| {
                let reseller = resellers::find(tx, &reseller)?.id;
                Ok((reseller, members::add(tx.scoped(reseller)?, &env, reseller, &new)?))
            });
            let (reseller_id, member) = added.await?;
            let member = MemberView::of(member);
            Ok(output::json(&Printed { reseller_id, member, removed: None })?)
        }
        Command::List { reseller } => {
            let db = store::open(settings)?;
            let members = administer(&db, move |tx| {
                let reseller = resellers::find(tx, &reseller)?.id;
                members::list(tx.scoped(reseller)?)
            });
            let members = members.await?;
            if json {
                let views = members.into_iter().map(MemberView::of);
                return Ok(output::json(&views.collect::<Vec<_>>())?);
            }
            Ok(output::lines(members.iter().map(line))?)
        }
        Command::Remove { reseller, id, identity } => {
            let member = match id {
                Some(id) => member_id(&id)?,
                None => MemberRef::KnownBy(known_by(&identity)?),
            };
            let db = store::open(settings)?;
            let removed = administer(&db, move |tx| {
                let reseller = resellers::find(tx, &reseller)?.id;
                Ok((reseller, members::remove_any(tx.scoped(reseller)?, reseller, &member)?))
            });
            let (reseller_id, member) = removed.await?;
            let member = MemberView::of(member);
            Ok(output::json(&Printed { reseller_id, member, removed: Some(true) })?)
        }
    }
}

fn line(Member { id, identity, role, created_at }: &Member) -> String {
    format!("{id}  {created_at}  {role:<6}  {identity}")
}

/// Reads by what someone is known. The command line has seen to it that one identity is there.
fn known_by(args: &Args) -> Result<Identity, Failure> {
    let refuse = |field| move |error: NotASubject| invalid(field, &error);
    match (&args.email, &args.issuer, &args.subject) {
        (Some(email), ..) => {
            let email = Email::parse(email).map_err(|error| invalid("email", &error))?;
            Ok(Identity::Email(email))
        }
        (None, Some(issuer), Some(subject)) => {
            Subject::part(issuer).map_err(refuse("issuer"))?;
            let subject = Subject::new(issuer, subject).map_err(refuse("subject"))?;
            Ok(Identity::Subject(subject))
        }
        _ => Err(invalid("email", &"is required where there is no subject")),
    }
}

fn read_role(text: Option<String>) -> Result<Role, Failure> {
    let role = text.map(|text| Role::parse(&text)).transpose();
    Ok(role.map_err(|error| invalid("role", &error))?.unwrap_or_default())
}

fn member_id(text: &str) -> Result<MemberRef, Failure> {
    MemberRef::parse_id(text).ok_or_else(|| invalid("id", &"must be a UUID"))
}

fn invalid(field: &'static str, reason: &impl ToString) -> Failure {
    Refusal::Invalid { field, reason: reason.to_string() }.into()
}
