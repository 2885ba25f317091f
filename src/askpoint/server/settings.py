"""Django's settings, made from the options of the command line."""

from __future__ import annotations

from typing import Any

from askpoint.records.json_logs import wants_json
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
        "LOGIN_URL": "sign-in",
        "LOGIN_REDIRECT_URL": "home",
        "LOGOUT_REDIRECT_URL": "sign-in",
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
