//! The contract suite: one body of cases that every store must pass.
//!
//! A store runs it from a test target of its own:
//!
//! ```text
//! async fn fresh() -> (weir_store::Db, impl Sized) {
//!     // An empty, migrated store, and what must live as long as it: a directory, a database.
//! }
//!
//! weir_store::contract_suite!(fresh);
//! ```
//!
//! Each case becomes a test of its own, in a module named after what it is about. A case is an async
//! function over a [`Stage`] with two resellers, `acme` and `globex`, and its documentation is the
//! promise that it holds the store to. Cases know nothing of the store but its ports, and neither
//! sleep nor look at a clock: where transactions are to meet, gates bring them together.
//!
//! To add a case: write it into the file of its subject and name it in the table of
//! [`contract_suite!`](crate::contract_suite). A test here fails while a case is not in the table.

mod belongings;
mod community;
mod failure;
mod fixtures;
mod race;
mod stage;
mod tenant;
#[cfg(test)]
mod tests;

pub mod api_key;
pub mod change;
pub mod crew;
pub mod customer;
pub mod day;
pub mod deleted;
pub mod device;
pub mod device_count;
pub mod device_filter;
pub mod device_list;
pub mod device_order;
pub mod device_search;
pub mod device_state;
pub mod device_stats;
pub mod device_store;
pub mod device_tree;
pub mod effective_customer;
pub mod end_user;
pub mod eviction;
pub mod fleet;
pub mod isolation;
pub mod long_history;
pub mod magic_link;
pub mod member;
pub mod newest_volume;
pub mod opening;
pub mod ownership;
pub mod passage;
pub mod quota;
pub mod reading;
pub mod reseller;
pub mod session;
pub mod sighting;
pub mod signing_key;
pub mod snapshot;
pub mod spool;
pub mod tenant_name;
pub mod transaction;

pub use failure::{Failed, Outcome};
pub use stage::Stage;

/// Runs the contract suite against a store, every case as a test of its own.
///
/// Takes the path of an `async fn() -> (Db, impl Sized)` that makes an empty, migrated store. What it
/// returns beside the store is dropped when the case has ended.
#[macro_export]
macro_rules! contract_suite {
    ($fresh:path) => {
        $crate::contract_suite! {
            @cases $fresh;
            reseller {
                is_read_as_inserted,
                aliases_come_in_order,
                update_stores_all_but_id_and_creation,
                insert_is_refused_for_another_id_and_for_a_second_time,
                delete_takes_everything_of_it,
                delete_takes_nothing_of_another,
                delete_frees_the_euis,
                list_is_complete_and_by_id,
            }
            tenant_name {
                claim_makes_an_owner,
                claim_never_takes_from_another,
                release_is_the_owners,
                claims_at_once_have_one_winner,
            }
            api_key {
                list_is_oldest_first,
                name_is_unique_within_its_reseller,
                delete_says_whether_it_was_there,
                published_hash_finds_its_key,
                withdrawn_key_is_found_no_more,
                use_is_remembered_and_never_moves_back,
                use_is_noted_of_ones_own_keys_alone,
                uses_noted_at_once_keep_the_latest,
            }
            member {
                is_read_as_inserted,
                list_is_oldest_first,
                what_is_not_there_is_not_found,
                identity_is_taken_within_its_reseller,
                delete_says_whether_it_was_there,
                locked_ones_are_not_deleted_unseen,
                inserts_at_once_have_one_winner,
                memberships_are_by_reseller_and_each_once,
                memberships_follow_their_members,
                memberships_go_with_their_reseller,
            }
            device {
                is_read_as_inserted,
                eui_is_found_in_any_case_and_kept_as_written,
                what_is_not_there_is_not_found,
                keys_are_shared_by_no_two_devices,
                eui_is_claimed_once,
                claims_at_once_have_one_winner,
                insert_without_a_claim_is_refused,
                insert_of_a_second_with_the_same_eui_or_id_is_refused,
                insert_under_a_strange_parent_or_customer_is_refused,
            }
            device_list {
                newest_comes_first_and_ties_by_id,
                pages_join_to_the_whole,
                list_and_count_are_the_resellers_own,
                keys_are_found_by_many_euis,
                locked_tree_is_seen_as_it_is,
            }
            device_state {
                starts_with_nothing_heard,
                is_read_as_stored,
                store_leaves_the_rest_alone,
                strangers_are_left_out,
                many_are_stored_at_once,
                of_another_resellers_device_is_never_stored,
                changes_at_once_are_not_lost,
            }
            device_store {
                is_read_as_stored,
                many_are_stored_at_once,
                euis_find_live_devices_in_any_spelling,
                store_of_strange_references_is_refused,
                changes_at_once_are_not_lost,
                locked_device_stays_as_it_is,
            }
            deleted {
                is_found_no_more_among_the_live,
                is_still_heard,
                last_one_of_an_eui_is_found,
                eui_is_freed_by_its_release,
                claim_in_use_is_not_released,
                comes_back_with_its_claim,
            }
            effective_customer {
                is_the_end_users_else_its_own,
                is_known_in_the_tree_and_of_deleted_ones,
                follows_its_end_user,
                of_a_new_device_is_its_own,
            }
            device_filter {
                principal_or_not,
                customer_is_the_effective_one,
                assigned_or_not,
                first_seen_since,
                status_is_the_one_that_shows,
                silence_is_noticed_after_any_messages,
                filters_hold_together,
            }
            device_search {
                looks_at_eui_device_name_and_name,
                ignores_case_as_unicode_has_it,
                takes_every_character_as_it_is,
            }
            device_order {
                names_ignore_case_as_unicode_has_it,
                euis_are_numbers,
                oldest_first_is_newest_first_backwards,
                unknown_comes_last_and_alike_is_newest_first,
                pages_and_filters_keep_the_order,
            }
            device_stats {
                of_nothing_are_zero,
                count_live_devices,
                billed_are_live_and_active,
            }
            device_count {
                follows_every_kind_of_change,
                follows_a_long_history,
                of_what_is_undone_is_as_before,
                of_what_is_refused_in_part_is_right,
                of_changes_at_once_is_right,
            }
            device_tree {
                children_are_live_and_newest_first,
                descendants_come_by_level,
                tree_has_each_device_once,
                ancestors_come_from_the_parent_up,
                levels_are_stored_and_nothing_else,
                moved_branch_is_walked_where_it_is,
                circle_does_not_hold_a_walk,
            }
            customer {
                is_read_as_inserted,
                update_stores_all_but_id_and_creation,
                counts_are_of_live_devices_and_end_users,
                list_is_by_name_ignoring_case,
                many_are_found_by_names,
                search_looks_at_name_and_email,
                references_are_counted,
                delete_is_for_what_nothing_refers_to,
                counted_references_stay,
            }
            end_user {
                is_read_as_inserted,
                many_are_found_by_ids,
                many_are_found_by_names,
                update_stores_all_but_id_and_creation,
                counts_are_of_live_devices,
                list_is_by_name_ignoring_case,
                filters_hold_together,
                first_of_a_customer_was_created_first,
                delete_is_for_whom_nothing_is_assigned_to,
                counted_references_stay,
            }
            ownership {
                is_read_as_inserted,
                records_are_newest_first,
                newest_of_each_device,
                report_is_read_as_inserted,
                many_are_inserted_at_once,
                report_is_there_exactly_where_it_is_promised,
            }
            day {
                kept_ones_come_with_the_one_before,
                nothing_is_kept_elsewhere,
                later_ones_make_way,
                zones_are_those_of_days_and_customer,
            }
            fleet {
                days_are_summed_at_the_top,
                days_count_as_far_as_they_are_kept,
                enormous_days_are_summed,
                resets_come_latest_first,
                batteries_are_found_by_range,
            }
            reading {
                repeat_is_stored_once,
                walk_is_by_time_then_volume,
                walk_begins_where_it_is_told,
                pages_join_to_the_whole,
                extremes_are_kept,
                many_are_added_at_once,
                exists_by_device_time_and_volume,
                of_a_strange_device_appear_nowhere,
                of_another_resellers_device_are_not_seen,
            }
            long_history {
                any_order_gives_the_same,
                goes_on_over_the_end_of_a_month,
                late_ones_find_their_place,
                many_volumes_of_one_time_are_kept,
                pages_begin_anywhere,
                openings_lie_in_earlier_months,
                newest_lie_in_earlier_months,
            }
            newest_volume {
                are_each_devices_own,
                of_the_same_time_are_by_volume,
                of_no_device_or_very_many,
            }
            opening {
                period_comes_with_the_reading_before,
                of_an_empty_period_is_all_there_is,
                long_period_comes_whole,
            }
            sighting {
                is_read_as_stored,
                store_replaces_what_was_remembered,
                last_seen_comes_first_and_ties_by_eui,
                are_found_by_many_euis,
                readings_are_kept_once_and_in_order,
                take_forgets,
                memory_is_the_resellers_own,
            }
            eviction {
                keeps_the_euis_seen_last,
                keeps_the_readings_received_last,
                keeps_no_more_than_both_limits,
                takes_nothing_while_there_is_room,
                is_the_resellers_own,
            }
            quota {
                month_begins_empty,
                leases_add_up,
                settling_moves_from_lease_to_used,
                lease_never_falls_below_zero,
                settling_needs_no_lease,
                months_are_apart,
                holders_are_spools,
                leases_end_for_one_spool_and_all_months,
                settling_at_once_loses_nothing,
                leasing_at_once_never_exceeds_the_limit,
            }
            spool {
                position_is_the_farthest_stored,
                settlers_follow_each_other,
                forgotten_with_its_leases,
                secret_is_the_first_one,
                secrets_at_once_have_one_winner,
            }
            magic_link {
                is_used_once,
                stays_when_another_browser_presents_it,
                is_returned_when_it_has_expired,
                sent_ones_are_counted,
                uses_at_once_have_one_winner,
                is_forgotten_after_it_has_expired,
            }
            session {
                is_read_as_begun,
                update_keeps_tokens_and_times,
                refreshes_at_once_are_not_lost,
                locked_one_is_ended_afterwards,
                ends_once,
                is_forgotten_after_it_has_expired,
            }
            signing_key {
                list_is_oldest_first,
                delete_says_whether_it_was_there,
            }
            transaction {
                ok_commits_and_own_writes_are_seen,
                err_rolls_everything_back,
                err_rolls_every_reseller_back,
                ok_after_a_refusal_is_kept_or_fails,
                lost_race_is_run_again,
                race_lost_for_ever_is_given_up,
                decisions_at_once_are_not_lost,
            }
            snapshot {
                read_sees_one_state,
                write_is_unseen_until_it_commits,
                committed_write_is_seen_at_once,
            }
            change {
                is_told_before_the_call_returns,
                is_told_after_the_commit,
                is_not_told_when_undone,
                of_the_longest_kind_is_told,
            }
            crew {
                panic_is_an_error_and_the_store_goes_on,
                work_at_leisure_is_done_like_any_other,
                hanging_up_leaves_nothing_half_done,
                full_queue_of_reads_refuses_more,
                full_queue_of_writes_refuses_more,
                close_finishes_what_is_queued,
                health_is_good,
            }
            isolation {
                nothing_of_another_is_seen,
                nothing_of_another_is_changed,
                nothing_of_another_is_referred_to,
                same_ids_are_each_resellers_own,
            }
            passage {
                leads_into_one_reseller,
                narrows_no_lookup,
                may_lead_nowhere,
                turns_on_one_thread_keep_apart,
            }
        }
    };
    (@cases $fresh:path; $($subject:ident { $($case:ident,)* })*) => {$(
        mod $subject {
            #[allow(unused_imports, reason = "the store's path may begin at the crate")]
            use super::*;

            $(
                #[::tokio::test]
                async fn $case() -> $crate::contract::Outcome {
                    let (db, guard) = $fresh().await;
                    let stage = $crate::contract::Stage::set(db).await?;
                    let outcome = $crate::contract::$subject::$case(stage).await;
                    drop(guard);
                    outcome
                }
            )*
        }
    )*};
}
