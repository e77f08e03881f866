"""Receives mail on a free port and says what it received, a line of JSON per message.

It ends when its standard input does.
"""

import asyncio
import email.policy
import json
import logging
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

logging.disable()  # a client that turns away is no news here
settings = json.loads(sys.argv[1])
starttls, tls = settings["security"] == "starttls", settings["security"] == "tls"


class Kept:
    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = {part.get_content_type(): part for part in message.walk() if not part.is_multipart()}
        text = {kind: part.get_content() for kind, part in parts.items()}
        say(
            "letter",
            json.dumps(
                {
                    "from": envelope.mail_from,
                    "to": envelope.rcpt_tos,
                    "user": session.auth_data.login.decode() if session.auth_data else None,
                    "encrypted": tls or session.ssl is not None,
                    "subject": str(message["subject"] or ""),
                    "plain": text.get("text/plain", ""),
                    "html": text.get("text/html", ""),
                    "raw": envelope.content.decode(errors="replace"),
                }
            ),
        )
        return "250 kept"


def authenticate(server, session, envelope, mechanism, given):
    expected = (settings["user"].encode(), settings["password"].encode())
    return AuthResult(success=(given.login, given.password) == expected, auth_data=given, handled=False)


def say(word, rest):
    print(word, rest, flush=True)


def receive(context):
    return SMTP(
        Kept(),
        hostname="localhost",
        enable_SMTPUTF8=True,
        authenticator=authenticate,
        auth_required=True,
        auth_require_tls=starttls,  # where TLS is the transport, it does not know
        tls_context=context if starttls else None,
        require_starttls=starttls,
    )


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(settings["identity"])
    loop = asyncio.get_running_loop()
    transport = context if tls else None
    server = await loop.create_server(lambda: receive(context), "127.0.0.1", 0, ssl=transport)
    say("listening", server.sockets[0].getsockname()[1])
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
