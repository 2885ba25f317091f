"""Django's settings, made from the options of the command line."""

from __future__ import annotations

from typing import Any

from askpoint.records.json_logs import wants_json
from askpoint.server.accounts.companies import read_companies
from askpoint.server.databases import database_of
from askpoint.server.extensions import server_parts
from askpoint.server.options import Options

__all__ = ["APPS", "MOST_BYTES", "settings_of"]

APPS = (
    "askpoint.server.journal",
    "askpoint.server.workspaces",
    "askpoint.server.accounts",
    "askpoint.server.webhooks",
    "askpoint.server.images",
    "askpoint.server.classifiers",
    "askpoint.server.jobs",
    "askpoint.server.labelling",
    "askpoint.server.deployments",
    "askpoint.server.licences",
    "askpoint.server.reports",
    "askpoint.server.questionnaires",
    "askpoint.server.home",
    "askpoint.server.api",
)
"""One small app a noun; each imports only those before it. Wings and plugins add theirs."""

MOST_BYTES = 1_000_000
"""Of a request's body; a case is much shorter."""


def settings_of(options: Options) -> dict[str, Any]:
    """Return Django's settings.

    Parameters
    ----------
    options : Options
        From the command line.

    Returns
    -------
    dict
    """
    secure = bool(options.url)
    filters = [library for parts in server_parts() for library in parts.filters]
    return {
        "ASKPOINT": options,
        "SECRET_KEY": options.secret,
        "DEBUG": False,
        "ALLOWED_HOSTS": options.allowed_hosts,
        "CSRF_TRUSTED_ORIGINS": [options.url] if secure else [],
        "INSTALLED_APPS": [
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "django.contrib.staticfiles",
            *APPS,
            "allauth",
            "allauth.account",
            "allauth.mfa",
            "allauth.socialaccount",
            "allauth.socialaccount.providers.openid_connect",
            *(app for parts in server_parts() for app in parts.apps),
        ],
        "MIDDLEWARE": [
            "askpoint.server.policy.content_policy",
            "askpoint.server.api.problems.speak_json",
            "django.middleware.security.SecurityMiddleware",
            "whitenoise.middleware.WhiteNoiseMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "askpoint.server.journal.services.remember_visitor",
            "allauth.account.middleware.AccountMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
            "askpoint.server.home.views.explain_refusal",
            "askpoint.server.policy.readable",
        ],
        "ROOT_URLCONF": "askpoint.server.urls",
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                        "askpoint.server.accounts.seats.show_seat",
                    ],
                    "builtins": ["askpoint.server.home.words", *filters],
                },
            }
        ],
        "DATABASES": {"default": database_of(options.database)},
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "AUTH_USER_MODEL": "accounts.User",
        "AUTH_PASSWORD_VALIDATORS": [
            {"NAME": f"django.contrib.auth.password_validation.{name}"}
            for name in ("MinimumLengthValidator", "CommonPasswordValidator")
        ]
        + [
            {
                "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
                "OPTIONS": {"user_attributes": ("username", "participant")},
            }
        ],
        "PASSWORD_RESET_TIMEOUT": 86_400,  # seconds
        "LOGIN_URL": "account_login",
        "LOGIN_REDIRECT_URL": "home",
        "LOGOUT_REDIRECT_URL": "account_login",
        "ACCOUNT_ADAPTER": "askpoint.server.accounts.adapters.PersonAdapter",
        "ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS": False,
        "ACCOUNT_CHANGE_EMAIL": True,  # one address, and the next one until it is confirmed
        "ACCOUNT_EMAIL_NOTIFICATIONS": True,
        "ACCOUNT_EMAIL_SUBJECT_PREFIX": "",
        "ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS": False,
        "ACCOUNT_EMAIL_VERIFICATION": "none",  # to sign in; a link goes to a confirmed address only
        "ACCOUNT_LOGIN_ON_PASSWORD_RESET": True,
        "ACCOUNT_RATE_LIMITS": False,  # ours are counted in the database, for all processes
        "ACCOUNT_REAUTHENTICATION_REQUIRED": True,
        "ACCOUNT_REAUTHENTICATION_TIMEOUT": 600,  # seconds
        "ACCOUNT_SESSION_REMEMBER": True,
        "ACCOUNT_SIGNUP_FIELDS": ["username*", "password1*"],
        "MFA_ADAPTER": "askpoint.server.accounts.adapters.FactorAdapter",
        "MFA_ALLOW_UNVERIFIED_EMAIL": True,  # nobody signs up here in another's name
        "MFA_FORMS": {
            "authenticate": "askpoint.server.accounts.second_factor.CodeForm",
            "reauthenticate": "askpoint.server.accounts.second_factor.CodeAgainForm",
            "activate_totp": "askpoint.server.accounts.second_factor.FirstCodeForm",
        },
        "MFA_TOTP_ISSUER": "askpoint",
        "MFA_TOTP_TOLERANCE": 1,
        "SOCIALACCOUNT_ADAPTER": "askpoint.server.accounts.adapters.CompanyAdapter",
        "SOCIALACCOUNT_EMAIL_AUTHENTICATION": False,
        "SOCIALACCOUNT_PROVIDERS": {
            "openid_connect": {"APPS": read_companies(options.openid), "OAUTH_PKCE_ENABLED": True}
        },
        "SOCIALACCOUNT_QUERY_EMAIL": False,
        "SOCIALACCOUNT_STORE_TOKENS": False,
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "USE_I18N": False,
        "STATIC_URL": "/static/",
        "WHITENOISE_USE_FINDERS": True,
        "WHITENOISE_MAX_AGE": 3600,
        "MESSAGE_STORAGE": "django.contrib.messages.storage.session.SessionStorage",
        "DATA_UPLOAD_MAX_MEMORY_SIZE": MOST_BYTES,
        "FILE_UPLOAD_TEMP_DIR": str(options.uploads),  # so that a log is moved, not copied
        "SESSION_COOKIE_SECURE": secure,
        "CSRF_COOKIE_SECURE": secure,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if secure else None,
        "SECURE_SSL_REDIRECT": secure,
        "SECURE_REDIRECT_EXEMPT": [r"^health/", r"^metrics/"],  # asked on the machine itself
        # whether a whole domain has https is its owner's to say
        "SILENCED_SYSTEM_CHECKS": ["security.W005", "security.W021"],
        "SECURE_HSTS_SECONDS": 31_536_000 if secure else 0,
        "SECURE_REFERRER_POLICY": "same-origin",
        "X_FRAME_OPTIONS": "DENY",
        "LOGGING": {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "json": {"()": "askpoint.records.json_logs.JsonFormatter"},
                "line": {"()": "askpoint.records.line_logs.LineFormatter"},
            },
            "handlers": {
                "stderr": {
                    "class": "logging.StreamHandler",
                    "formatter": "json" if wants_json() else "line",
                }
            },
            "root": {"handlers": ["stderr"], "level": "WARNING"},
            # a refused page is an answer, not an event
            "loggers": {"django.request": {"level": "ERROR"}},
        },
    }
