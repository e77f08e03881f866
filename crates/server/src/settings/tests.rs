use super::*;

fn gather(args: &SettingsArgs, variables: &[(&str, &str)]) -> Settings {
    let variables = variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Settings::gather(args, variables).unwrap()
}

fn with_file(toml: &str) -> (tempfile::TempDir, SettingsArgs) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("settings.toml");
    std::fs::write(&path, toml).unwrap();
    (dir, SettingsArgs { config: Some(path), ..SettingsArgs::default() })
}

#[test]
fn flags_win_over_variables_and_variables_over_the_file() {
    let (_dir, mut args) = with_file("listen = \"a:1\"\ndata_dir = \"file\"\nlog = \"warn\"\n");
    args.listen = Some("c:3".into());
    let settings = gather(&args, &[("WEIR_LISTEN", "b:2"), ("WEIR_DATA_DIR", "variable")]);
    assert_eq!(settings.listen, "c:3");
    assert_eq!(settings.data_dir, PathBuf::from("variable"));
    assert_eq!(settings.log, "warn");
    assert_eq!(settings.max_connections, 10_000);
}

#[test]
fn unknown_settings_are_noticed_and_ignored() {
    let (_dir, args) = with_file("colour = \"blue\"\n");
    let settings = gather(&args, &[("WEIR_LISTN", "b:2"), ("OTHER", "x"), ("WEIR_SECRET", "")]);
    assert_eq!(settings.unknown, ["colour", "listn"]);
    assert_eq!(settings.secret, None);
}

#[test]
fn numbers_and_lists_come_from_variables() {
    let (_dir, args) = with_file("");
    let variables = [
        ("WEIR_MAX_CONNECTIONS", "7"),
        ("WEIR_CORS_ORIGINS", "https://a,https://b"),
        ("WEIR_SECRET", "1234567890123456"),
    ];
    let settings = gather(&args, &variables);
    assert_eq!(settings.max_connections, 7);
    assert_eq!(settings.cors_origins, ["https://a", "https://b"]);
    assert_eq!(settings.secret.as_deref(), Some("1234567890123456"));
    let bad = Settings::gather(&args, vec![("WEIR_MAX_CONNECTIONS".into(), "many".into())]);
    assert!(bad.unwrap_err().to_string().contains("max_connections"));
}

#[test]
fn tiers_are_tables_of_the_file() {
    let table = "[tiers.pilot]\nincluded_devices = 5\nbase_cost = 9.9\nper_device = \"0.10\"\n";
    let (_dir, args) = with_file(&format!("currency = \"USD\"\n{table}"));
    let settings = gather(&args, &[]);
    assert_eq!(settings.unknown, [""; 0]);
    let bill = settings.tiers().unwrap().bill("pilot", 7).unwrap();
    assert_eq!((bill.total_cost.to_string(), bill.currency.as_str()), ("10.10".into(), "USD"));
    assert!(settings.tiers().unwrap().has("starter"));

    let bad = Settings::gather(&with_file("[tiers.pilot]\nbase_cost = 1\n").1, vec![]);
    assert!(bad.is_err());
    let (_dir, args) = with_file("currency = \"euro\"\n");
    assert!(gather(&args, &[]).tiers().unwrap_err().to_string().contains("euro"));
}

#[test]
fn a_text_that_looks_like_a_number_stays_as_it_is() {
    let (_dir, args) = with_file("");
    let secret = "00012345678901234567890";
    let settings = gather(&args, &[("WEIR_SECRET", secret), ("WEIR_DATA_DIR", "1e3")]);
    assert_eq!(settings.secret.as_deref(), Some(secret));
    assert_eq!(settings.data_dir, PathBuf::from("1e3"));
}

#[test]
fn what_is_wrong_with_a_file_is_told_without_its_lines() {
    let (_dir, args) = with_file("listen = \"a:1\"\nsecret = \"hunter2|hunter2\n");
    let error = Settings::gather(&args, Vec::new()).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("settings.toml"), "{error}");
    assert!(!error.contains("hunter2") && !error.contains('\n'), "{error}");
}

#[test]
fn what_is_wrong_with_a_value_is_told_without_the_value() {
    for (file, name) in [
        ("[issuers]\nacme = \"hunter2, expected hunter2\"\n", "acme"),
        ("[issuers.acme]\nissuer = \"a\"\nallow_http = \"hunter2\"\n", "allow_http"),
        ("[issuers.acme]\nissuer = \"a\"\nalgorithms = \"hunter2\"\n", "algorithms"),
        ("smtp_port = \"hunter2\"\n", "smtp_port"),
        ("max_connections = \"hunter2 ` hunter2\"\n", "max_connections"),
        ("tiers = \"hunter2\"\n", "tiers"),
        ("secret = [\"hunter2\"]\n", "secret"),
    ] {
        let (_dir, args) = with_file(file);
        let error = Settings::gather(&args, Vec::new()).unwrap_err().to_string();
        assert!(error.contains(name) && !error.contains("hunter2"), "{error}");
    }
    let variables = vec![("WEIR_SMTP_PORT".into(), "hunter2".into())];
    let error = Settings::gather(&with_file("").1, variables).unwrap_err().to_string();
    assert!(error.contains("smtp_port") && !error.contains("hunter2"), "{error}");
}

#[test]
fn databases_are_told_by_their_scheme() {
    let database = |url: &str| {
        let args = SettingsArgs { database: Some(url.into()), ..with_file("").1 };
        Settings { database: args.database, ..Settings::default() }.database()
    };
    assert_eq!(database("sqlite:a/b.db").unwrap(), Database::Sqlite("a/b.db".into()));
    assert_eq!(database("sqlite:///srv/b.db").unwrap(), Database::Sqlite("/srv/b.db".into()));
    assert!(matches!(database("postgresql://u@h/d").unwrap(), Database::Postgres(_)));
    let error = database("mysql://root:hunter2@h").unwrap_err().to_string();
    assert!(error.contains("mysql") && !error.contains("hunter2"), "{error}");
    assert_eq!(
        Settings::default().database().unwrap(),
        Database::Sqlite("weir-data/weir.db".into())
    );
}

#[test]
fn the_names_are_those_of_the_fields() {
    let source = include_str!("../settings.rs");
    let (_, body) = source.split_once("pub struct Settings {").unwrap();
    let (body, _) = body.split_once("\n}").unwrap();
    let fields = body.lines().map(|line| line.trim().trim_start_matches("pub "));
    let fields: Vec<&str> = fields
        .filter_map(|line| Some(line.split_once(": ")?.0))
        .filter(|name| !name.contains([' ', '/', '#']))
        .collect();
    assert_eq!(fields[..NAMES.len()], NAMES);
    assert_eq!(fields[NAMES.len()..], ["unknown"]);
}
