//! A server in another language, spoken with line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// How long a line may keep a test waiting. It is reached only where something is broken.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running program that says lines and is told lines. It ends when its standard input does, which is
/// when this is dropped or when the test process ends, however it ends.
#[derive(Debug)]
pub struct Conversation {
    child: Child,
    listening: Option<ChildStdin>,
    said: UnboundedReceiver<String>,
}

impl Conversation {
    /// Starts a program. What it says to its standard error goes to that of the tests.
    pub fn start(mut program: Command) -> Self {
        program.stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = program.spawn();
        let mut child = child.unwrap_or_else(|error| panic!("{program:?} does not run: {error}"));
        let (listening, speaking) = (child.stdin.take(), child.stdout.take());
        let speaking = speaking.unwrap_or_else(|| panic!("{program:?} says nothing"));
        let (sender, said) = unbounded_channel();
        let hear = move || {
            let lines = BufReader::new(speaking).lines().map_while(Result::ok);
            // It goes on listening to the end: a program must not be stopped by a full pipe.
            lines.for_each(|line| drop(sender.send(line)));
        };
        let thread = thread::Builder::new().name("weir-testkit-hears".into()).spawn(hear);
        thread.unwrap_or_else(|error| panic!("no thread: {error}"));
        Self { child, listening, said }
    }

    /// What follows `word` in the next line that begins with it. Other lines are passed over.
    pub async fn hear(&mut self, word: &str) -> String {
        let heard = async {
            while let Some(line) = self.said.recv().await {
                if let Some(rest) = line.strip_prefix(word) {
                    return rest.trim().to_owned();
                }
            }
            panic!("the program ended without a word of {word:?}");
        };
        let heard = tokio::time::timeout(PATIENCE, heard).await;
        heard.unwrap_or_else(|_| panic!("the program says nothing of {word:?}"))
    }

    /// Whether it has said a line that begins with `word`, and that nobody has heard yet.
    pub fn has_said(&mut self, word: &str) -> bool {
        std::iter::from_fn(|| self.said.try_recv().ok()).any(|line| line.starts_with(word))
    }

    /// Tells it a line.
    pub fn tell(&mut self, line: &str) {
        let told = self.listening.as_mut().map(|program| writeln!(program, "{line}"));
        assert!(matches!(told, Some(Ok(()))), "the program does not listen: {told:?}");
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        drop(self.listening.take());
        // It may hang in the very thing that a test made it do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
