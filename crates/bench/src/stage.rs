//! Where a measurement takes place: a program, a fresh store, and a directory of their own.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::cli::Args;
use crate::failure::Failure;
use crate::program::Program;
use crate::store::{Kind, Store};

/// The program to measure, and the directory to write in.
#[derive(Debug, Clone)]
pub struct Places {
    /// The program.
    pub weir: PathBuf,
    /// The directory.
    pub dir: PathBuf,
}

/// A program with a store that holds nothing. All of it is gone when it is dropped, in this order.
#[derive(Debug)]
pub struct Stage {
    /// The program.
    pub program: Program,
    /// Its store.
    pub store: Store,
    _home: TempDir,
}

impl Places {
    /// Those that were chosen. Beside this program is the one that was built with it, and the
    /// directory above is cargo's, on a disk that builds are good enough for.
    pub fn find(args: &Args) -> Result<Self, Failure> {
        let this = std::env::current_exe()
            .map_err(|error| Failure::io("this program does not know where it is", error))?;
        let weir = args.weir.clone().unwrap_or_else(|| this.with_file_name("weir"));
        let weir = weir.canonicalize().map_err(|_| Failure::NoProgram(weir))?;
        let target = this.ancestors().nth(2).unwrap_or(Path::new("."));
        let dir = args.dir.clone().unwrap_or_else(|| target.join("bench"));
        std::fs::create_dir_all(&dir)
            .and_then(|()| Ok(Self { weir, dir: dir.canonicalize()? }))
            .map_err(|error| Failure::io(format!("there is no directory {dir:?}"), error))
    }
}

impl Stage {
    /// A stage with a store of this kind, whose schema is up to date.
    pub async fn set(kind: Kind, Places { weir, dir }: &Places) -> Result<Self, Failure> {
        let no_dir = |error| Failure::io(format!("nothing can be written in {dir:?}"), error);
        let home = tempfile::tempdir_in(dir).map_err(no_dir)?;
        let store = kind.prepare(home.path()).await.map_err(Failure::NoStore)?;
        let (path, dir) = (weir.clone(), home.path().to_owned());
        let program = Program { path, dir, database: store.url.clone() };
        program.migrate().await?;
        Ok(Self { program, store, _home: home })
    }
}
