//! Who people are: tokens of issuers that are trusted, and a provider of our own.
