"""A company's OpenID provider over HTTP: oauthlib's server, with people who are signed in there already."""

# ruff: noqa: ARG002 - as oauthlib calls them

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from oauthlib.openid import RequestValidator, Server

__all__ = ["CLIENT", "Company"]

CLIENT, SECRET = "askpoint-at-acme", "a secret of acme"


class Book(RequestValidator):
    """What the company knows: one program, its codes, and who is signed in."""

    def __init__(self, company):
        self.company, self.codes, self.tokens = company, {}, {}

    def validate_client_id(self, client_id, request, *args, **named):
        return client_id == CLIENT

    def validate_redirect_uri(self, client_id, redirect_uri, request, *args, **named):
        return redirect_uri == self.company.back

    def validate_user_match(self, id_token_hint, scopes, claims, request):
        return True

    def validate_response_type(self, client_id, response_type, client, request, *args, **named):
        return response_type == "code"

    def validate_scopes(self, client_id, scopes, client, request, *args, **named):
        return set(scopes) <= {"openid", "profile", "email"}

    def get_default_scopes(self, client_id, request, *args, **named):
        return ["openid"]

    def save_authorization_code(self, client_id, code, request, *args, **named):
        self.codes[code["code"]] = {
            "claims": dict(self.company.claims),
            "scopes": request.scopes,
            "nonce": request.nonce,
            "challenge": request.code_challenge,
            "method": request.code_challenge_method,
        }

    def client_authentication_required(self, request, *args, **named):
        return True

    def authenticate_client(self, request, *args, **named):
        request.client = type("Program", (), {"client_id": CLIENT})()
        return (request.client_id, request.client_secret) == (CLIENT, SECRET)

    def validate_grant_type(self, client_id, grant_type, client, request, *args, **named):
        return grant_type == "authorization_code"

    def validate_code(self, client_id, code, client, request, *args, **named):
        kept = self.codes.get(code)
        if kept is None:
            return False
        request.scopes, request.claims, request.user = kept["scopes"], {}, kept["claims"]
        return True

    def confirm_redirect_uri(self, client_id, code, redirect_uri, client, request, *args, **named):
        return redirect_uri == self.company.back

    def is_pkce_required(self, client_id, request):
        return True

    def get_code_challenge(self, code, request):
        return self.codes[code]["challenge"]

    def get_code_challenge_method(self, code, request):
        return self.codes[code]["method"]

    def get_authorization_code_scopes(self, client_id, code, redirect_uri, request):
        return self.codes[code]["scopes"]

    def get_authorization_code_nonce(self, client_id, code, redirect_uri, request):
        return self.codes[code]["nonce"]

    def invalidate_authorization_code(self, client_id, code, request, *args, **named):
        del self.codes[code]

    def save_bearer_token(self, token, request, *args, **named):
        self.tokens[token["access_token"]] = request.user

    def finalize_id_token(self, id_token, token, token_handler, request):
        said = {
            **id_token,
            "iss": self.company.address,
            "exp": int(time.time()) + 600,
            **request.user,
        }
        return jwt.encode(said, self.company.key, "RS256", headers={"kid": "1"})

    def validate_bearer_token(self, token, scopes, request):
        request.user = self.tokens.get(token)
        return request.user is not None

    def get_userinfo_claims(self, request):
        return request.user


class Company:
    """A company with a provider; `claims` are of who is signed in there."""

    def __init__(self):
        self.key = rsa.generate_private_key(65537, 2048)
        self.claims, self.back, self.broken = {"sub": "acme-7"}, "", False
        self.book = Book(self)
        self.server = Server(self.book)
        company = self

        class Doors(BaseHTTPRequestHandler):
            def do_GET(self):
                company.answer(self, "GET")

            def do_POST(self):
                company.answer(self, "POST")

            def log_message(self, *_):
                return

        self.wire = ThreadingHTTPServer(("127.0.0.1", 0), Doors)
        self.address = f"http://127.0.0.1:{self.wire.server_port}"
        threading.Thread(target=self.wire.serve_forever, daemon=True).start()

    def close(self):
        self.wire.shutdown()
        self.wire.server_close()

    def answer(self, door, method):
        uri, body = (
            self.address + door.path,
            door.rfile.read(int(door.headers.get("Content-Length", 0))),
        )
        given = (uri, method, body.decode(), dict(door.headers))
        if self.broken:
            found = {}, "not now", 503
        elif door.path.startswith("/.well-known"):
            found = {}, json.dumps(self.described()), 200
        elif door.path.startswith("/authorize"):
            scopes, known = self.server.validate_authorization_request(*given)
            found = self.server.create_authorization_response(
                *given, scopes=scopes, credentials=known
            )
        elif door.path == "/token":
            found = self.server.create_token_response(*given)
        else:
            found = self.server.create_userinfo_response(*given)
        headers, text, status = found
        data = (text or "").encode()
        door.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            door.send_header(name, value)
        door.send_header("Content-Length", str(len(data)))
        door.end_headers()
        door.wfile.write(data)

    def described(self):
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "userinfo_endpoint": f"{self.address}/userinfo",
            "jwks_uri": f"{self.address}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def file(self, folder, **other):
        """Return the file that `askpoint serve --openid` takes."""
        said = {"id": "acme", "name": "Acme", "server": self.address}
        said |= {"client_id": CLIENT, "secret": SECRET} | other
        path = folder / "acme.json"
        path.write_text(json.dumps(said), "utf-8")
        return path
