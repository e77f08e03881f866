// An identity provider for tests, of independent make, on a free port of this machine.
//
// Its argument is JSON: `redirect_uri`, where it sends people back to, and `client_auth`, how clients prove
// who they are. It says `listening <url>`, makes new keys when it is told `rotate`, and ends when its
// standard input does. People sign in with their name and any password.

import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import Provider from 'oidc-provider';

// What it has to say of itself is about running it in production.
console.info = console.warn = () => {};

const { redirect_uri, client_auth } = JSON.parse(process.argv[1]);

// Mallory says that Ada's address is hers, and the provider has not checked.
const people = {
  ada: { email: 'ada@example.org', email_verified: true },
  grace: { email: 'grace@example.org', email_verified: true },
  mallory: { email: 'ada@example.org', email_verified: false },
  nameless: {},
};

const keys = () => [
  ['rsa', { modulusLength: 2048 }, 'RS256'],
  ['ec', { namedCurve: 'P-256' }, 'ES256'],
].map(([kind, options, alg]) => {
  const { privateKey } = generateKeyPairSync(kind, options);
  return { ...privateKey.export({ format: 'jwk' }), alg, use: 'sig' };
});

const client = (client_id, id_token_signed_response_alg) => ({
  client_id,
  client_secret: 'a secret of % and : that only tests share',
  redirect_uris: [redirect_uri],
  id_token_signed_response_alg,
  token_endpoint_auth_method: client_auth,
});

const provider = (issuer) => new Provider(issuer, {
  clients: [client('weir', 'RS256'), client('weir-es256', 'ES256')],
  clientAuthMethods: [client_auth],
  jwks: { keys: keys() },
  cookies: { keys: ['a key that only tests share'] },
  pkce: { methods: ['S256'], required: () => true },
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false, // the address belongs into the ID token
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, id) => people[id] && {
    accountId: id,
    claims: () => ({ sub: id, ...people[id] }),
  },
});

let answer;
const server = createServer((request, response) => answer(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const begin = () => { answer = provider(issuer).callback(); };
  begin();
  console.log(`listening ${issuer}`);
  createInterface({ input: process.stdin })
    .on('line', () => { begin(); console.log('rotated'); })
    .on('close', () => process.exit());
});
