"""A campaign about images, whose model sees nothing wrong in any."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile

from askpoint.measures.model_answer import ModelAnswer
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.services import _input_of
from askpoint.server.uploads import services as uploads
from askpoint.server.uploads.decoding import read_picture
from server.pictures import encoded, scene
from server.stage import CLASSES, Stage

__all__ = ["ImageStage", "bring", "fool", "image_case"]


def fool(seed):
    """A picture that the stage's model takes for clean."""
    return encoded(scene(seed))


class ImageStage(Stage):
    """The stage with a model of images: it sees nothing wrong in any."""

    def __init__(self, monkeypatch) -> None:
        super().__init__(monkeypatch)
        Classifier.objects.update(cases="image")

    def speak_for_models(self, monkeypatch) -> None:
        super().speak_for_models(monkeypatch)
        monkeypatch.setattr(uploads, "_ask_process", lambda _, content: read_picture(content))

    def ask(self, _, case, *_sender):
        """Answer in place of the model's process, about what it would be given."""
        self.asked.append(_input_of(case))
        return ModelAnswer((0.95, 0.05), CLASSES[0], "1")


def bring(browser, stage, content, **more):
    """Try an image on the page."""
    file = SimpleUploadedFile("my-holiday.png", content, "image/png")
    return browser.post(f"/play/{stage.id}/", {"case": file, **more})


def image_case(content):
    """Return the case that is made of an image."""
    found = read_picture(content)
    named = {"sha256": found.sha256, "kind": found.kind, "width": 96, "height": 64}
    return {"image": named}
