"""Accounts of people: made, found, given a role, a new password, or closed."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from askpoint.errors import InputError
from askpoint.server.accounts.models import User
from askpoint.server.accounts.names import LONGEST_KEY, as_name, fold_case, is_reserved, skeleton
from askpoint.server.journal.services import note

__all__ = [
    "end_tokens",
    "find_person",
    "keep_person",
    "new_person",
    "problems_of",
    "problems_with_password",
    "reset_path",
]

_ALIKE = "This name is taken, or looks like one that is; choose another."


def new_person(given: str) -> User:
    """Return somebody who is not kept yet."""
    return User(username=as_name(given))


def problems_of(user: User, password: str | None) -> dict[str, list[str]]:
    """Return what is wrong with a new account, by the field; without a password, of its name."""
    found: dict[str, list[str]] = {}
    try:
        _check_name(user)
    except ValidationError as error:
        found["username"] = error.messages
    wrong = [] if password is None else problems_with_password(user, password)
    return {**found, **({"password": wrong} if wrong else {})}


def problems_with_password(user: User, password: str) -> list[str]:
    """Return what is wrong with a new password."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        return list(error.messages)
    return []


def _check_name(user: User) -> None:
    user.clean_fields(exclude=["password", "folded", "skeleton"])
    name = user.username
    keys = fold_case(name), skeleton(name)
    if max(map(len, keys)) > LONGEST_KEY:
        raise ValidationError("This name is too long.")
    if is_reserved(name):
        raise ValidationError("This name would pass for the server or a role; choose another.")
    if User.objects.filter(folded=keys[0]).exists() or _looks_taken(keys[1]):
        raise ValidationError(_ALIKE)


def _looks_taken(look: str) -> bool:
    return bool(User.objects.filter(skeleton=look).exists())


def keep_person(user: User) -> User:
    """Keep a new account; of those who race for a name, one gets it.

    Raises
    ------
    InputError
        If the name was taken meanwhile.
    """
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise InputError(_ALIKE.lower().rstrip(".")) from None
    return user


def find_person(name: str) -> User:
    """Return an account by its name, whatever the case.

    Raises
    ------
    InputError
        If there is none.
    """
    try:
        return User.objects.get_by_natural_key(as_name(name))
    except User.DoesNotExist:
        raise InputError(
            f"there is no account {name!r}; `askpoint user list` names all there are"
        ) from None


def end_tokens(user: User) -> int:
    """End all tokens of a person; return how many there were. Sessions end with the password.

    Parameters
    ----------
    user : User
        Whose.
    """
    tokens: Any = user.tokens
    ended = int(tokens.filter(revoked=None).update(revoked=timezone.now()))
    if ended:
        note("tokens revoked", about=user.username, tokens=ended)
    return ended


def reset_path(user: User) -> str:
    """Return the path of a link by which a person sets a new password: once, within a day.

    It works until the password is changed or the person signs in.
    """
    note("password link", about=user.username)
    whose, token = user_pk_to_url_str(user), default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", args=[whose, token])
