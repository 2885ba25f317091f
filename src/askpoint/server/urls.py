"""All addresses of the server."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.account.views import ConfirmEmailView, EmailView, PasswordResetDoneView
from allauth.mfa.base.views import AuthenticateView, ReauthenticateView
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.socialaccount.providers.openid_connect import views as openid
from allauth.socialaccount.views import ConnectionsView, LoginCancelledView
from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import include, path, reverse_lazy

import askpoint.server.api.aap_views as aap
import askpoint.server.home.activity as activity
import askpoint.server.home.views as views
from askpoint.server.accounts.companies import known_companies
from askpoint.server.api.first_lines import first_case
from askpoint.server.api.json_api import api
from askpoint.server.demo import demo_people
from askpoint.server.extensions import load, server_parts
from askpoint.server.health import tell_health, tell_ready
from askpoint.server.home.endpoints import webhooks
from askpoint.server.home.invitations import invitation
from askpoint.server.home.passwords import AccountPage, ForgottenPage, ResetPage
from askpoint.server.home.sign_in import PasswordAgain, SignIn, company_answers
from askpoint.server.home.workspaces import enter_other, show_workspace
from askpoint.server.metrics import tell_metrics
from askpoint.server.questionnaires.answering import questions

__all__ = ["handler400", "urlpatterns"]

handler400 = views.bad_request

_sign_in = SignIn.as_view(
    extra_context={"people": demo_people() if settings.ASKPOINT.demo else ()},
)

_to_company, _from_company = company_answers(openid.login), company_answers(openid.callback)
_with_password = reauthentication_required(app="allauth.account", allow_get=True)
_mail = _with_password(EmailView.as_view())
_companies = _with_password(ConnectionsView.as_view(extra_context={"companies": known_companies()}))
_remove_code = DeactivateTOTPView.as_view(success_url=reverse_lazy("account"))

urlpatterns = [
    path("", views.home, name="home"),
    path("health/", tell_health, name="health"),
    path("health/ready/", tell_ready, name="ready"),
    path("metrics/", tell_metrics, name="metrics"),
    path("sign-in/", _sign_in, name="account_login"),
    path("sign-in/code/", AuthenticateView.as_view(), name="mfa_authenticate"),
    path("sign-in/by/<str:provider_id>/", _to_company, name="openid_connect_login"),
    path("sign-in/by/<str:provider_id>/back/", _from_company, name="openid_connect_callback"),
    path("sign-in/cancelled/", LoginCancelledView.as_view(), name="socialaccount_login_cancelled"),
    path("sign-in/forgotten/", ForgottenPage.as_view(), name="account_reset_password"),
    path("sign-in/sent/", PasswordResetDoneView.as_view(), name="account_reset_password_done"),
    path("sign-out/", auth.LogoutView.as_view(), name="sign-out"),
    path("account/", AccountPage.as_view(), name="account"),
    path("account/again/", PasswordAgain.as_view(), name="account_reauthenticate"),
    path("account/again/code/", ReauthenticateView.as_view(), name="mfa_reauthenticate"),
    path("account/mail/", _mail, name="account_email"),
    path("account/mail/<str:key>/", ConfirmEmailView.as_view(), name="account_confirm_email"),
    path("account/code/", ActivateTOTPView.as_view(), name="mfa_activate_totp"),
    path("account/code/remove/", _remove_code, name="mfa_deactivate_totp"),
    path("account/codes/", ViewRecoveryCodesView.as_view(), name="mfa_view_recovery_codes"),
    path(
        "account/codes/new/",
        GenerateRecoveryCodesView.as_view(),
        name="mfa_generate_recovery_codes",
    ),
    path("account/companies/", _companies, name="socialaccount_connections"),
    path(
        "reset/<str:uidb36>/<str:key>/", ResetPage.as_view(), name="account_reset_password_from_key"
    ),
    path("enter/<str:name>/", views.enter, name="enter"),
    path("workspaces/<str:workspace>/", show_workspace, name="workspace"),
    path("workspaces/<str:workspace>/enter/", enter_other, name="enter-workspace"),
    path("join/<str:token>/", invitation, name="invitation"),
    path("classifiers/<str:classifier>/costs/", include("askpoint.server.questionnaires.urls")),
    path("agents/", include("askpoint.server.licences.urls")),
    path("classifiers/<str:classifier>/first-case/", first_case, name="first-case"),
    path("classifiers/", include("askpoint.server.deployments.urls")),
    path("aap/v1/instances", aap.instance_make, name="aap-instances"),
    path("aap/v1/requests", aap.requests, name="aap-requests"),
    path("aap/v1/requests/<str:key>", aap.request_state, name="aap-request"),
    path("aap/v1/requests/<str:key>/consume", aap.request_consume, name="aap-consume"),
    path("aap/v1/requests/<str:key>/outcome", aap.request_outcome, name="aap-outcome"),
    path("questions/<str:token>/", questions, name="questions"),
    path("review/", include("askpoint.server.labelling.urls")),
    path("reports/", include("askpoint.server.reports.urls")),
    path("log/", activity.log, name="log"),
    path("log/log.csv", activity.log_file, name="log-file"),
    path("webhooks/", webhooks, name="webhooks"),
    path("tokens/", include("askpoint.server.api.urls")),
    path("api/", api.urls),
    *(address for parts in server_parts() for where in parts.urls for address in load(where)),
]
