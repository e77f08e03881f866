//! From what the layers below say to what the caller is told.

use serde_json::json;
use weir_app::AppError;
use weir_domain::Refusal;
use weir_domain::refusal::BadItem;
use weir_store::StoreError;

use super::{ApiError, ErrorCode};

/// The seconds after which a request may be tried again that the store could not serve.
const RETRY_AFTER: u32 = 1;

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        // Codes that only the commands of an operator meet are none of the interface.
        let code = ErrorCode::parse(refusal.code()).unwrap_or(ErrorCode::ValidationError);
        let error = Self::new(code, refusal.to_string());
        match refusal {
            Refusal::DeviceAlreadyExists(Some(existing)) => error
                .with_detail("device_id", existing.id.to_string())
                .with_detail("dev_eui", existing.dev_eui.as_str())
                .with_detail("name", existing.name.as_str()),
            Refusal::Invalid { field, reason } => {
                error.with_detail("errors", json!([{ "loc": ["body", field], "message": reason }]))
            }
            Refusal::InvalidItems { list, bad } | Refusal::ItemsTooDeep { list, bad } => {
                let shown = |bad: &BadItem| {
                    let loc = json!(["body", list, bad.item, bad.field]);
                    json!({ "loc": loc, "message": bad.reason })
                };
                error.with_detail("errors", bad.iter().map(shown).collect::<Vec<_>>())
            }
            Refusal::DevicesNotFound(ids) => {
                let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
                error.with_detail("device_ids", ids)
            }
            Refusal::StillReferred { devices, end_users, .. } => {
                error.with_detail("device_count", devices).with_detail("end_user_count", end_users)
            }
            _ => error,
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        if error.is_passing() {
            tracing::warn!(%error, "the store could not serve a request");
            Self::unavailable(RETRY_AFTER)
        } else {
            tracing::error!(%error, "the store failed a request");
            Self::internal()
        }
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Refused(refusal) => refusal.into(),
            AppError::Store(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse;
    use serde_json::Value;
    use uuid::Uuid;
    use weir_domain::refusal::ExistingDevice;
    use weir_domain::{DeviceId, Eui, Name};

    use super::*;

    fn shown(error: &ApiError) -> Value {
        serde_json::from_slice(&error.body()).unwrap()
    }

    #[test]
    fn ones_own_device_in_the_way_is_named() {
        let existing = ExistingDevice {
            id: DeviceId::from_uuid(Uuid::from_u128(7)),
            dev_eui: Eui::parse("70B3d57ed02a3654").unwrap(),
            name: Name::parse("Main").unwrap(),
        };
        let error = ApiError::from(Refusal::DeviceAlreadyExists(Some(existing)));
        assert_eq!(error.code().status(), 400);
        assert_eq!(
            shown(&error)["details"],
            json!({
                "device_id": "00000000-0000-0000-0000-000000000007",
                "dev_eui": "70B3d57ed02a3654",
                "name": "Main",
            })
        );
    }

    #[test]
    fn of_anothers_device_nothing_is_told() {
        let error = ApiError::from(Refusal::DeviceAlreadyExists(None));
        assert_eq!(shown(&error)["error_code"], "DEVICE_ALREADY_EXISTS");
        assert_eq!(shown(&error)["details"], json!({}));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let reason = "must not be blank".to_owned();
        let error = ApiError::from(Refusal::Invalid { field: "name", reason });
        assert_eq!(error.code(), ErrorCode::ValidationError);
        assert_eq!(error.details()["errors"][0]["loc"], json!(["body", "name"]));
        assert_eq!(error.details()["errors"][0]["message"], "must not be blank");
    }

    #[test]
    fn items_that_make_no_sense_are_named() {
        let bad = |item, field| BadItem { item, field, reason: "is odd".into() };
        let bad = vec![bad(0, "device_id"), bad(7, "hierarchy_level")];
        let error = ApiError::from(Refusal::InvalidItems { list: "assignments", bad });
        assert_eq!(error.code(), ErrorCode::ValidationError);
        assert_eq!(
            error.message(),
            "assignments[0].device_id is odd, and 1 more; nothing was changed."
        );
        assert_eq!(
            error.details()["errors"],
            json!([
                { "loc": ["body", "assignments", 0, "device_id"], "message": "is odd" },
                { "loc": ["body", "assignments", 7, "hierarchy_level"], "message": "is odd" },
            ])
        );
    }

    #[test]
    fn refusals_keep_their_code() {
        for refusal in
            [Refusal::DeviceNotFound, Refusal::ParentDeviceNotFound, Refusal::HierarchyTooDeep]
        {
            assert_eq!(ApiError::from(refusal.clone()).code().as_str(), refusal.code());
        }
    }

    #[test]
    fn a_store_that_is_away_means_later() {
        for passing in [StoreError::Unavailable("secret".into()), StoreError::Contended] {
            let error = ApiError::from(AppError::from(passing));
            assert!(!shown(&error).to_string().contains("secret"));
            let response = error.into_response();
            assert_eq!(response.status(), 503);
            assert_eq!(response.headers()["retry-after"], "1");
        }
    }

    #[test]
    fn a_store_that_fails_tells_the_caller_nothing() {
        let lasting = [
            StoreError::Refused("secret".into()),
            StoreError::Broken("secret".into()),
            StoreError::Corrupt { table: "secret", id: "1".into(), reason: "secret".into() },
        ];
        for error in lasting.map(ApiError::from) {
            assert_eq!(error.code(), ErrorCode::InternalError);
            assert!(!shown(&error).to_string().contains("secret"));
        }
    }
}
