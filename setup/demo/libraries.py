# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Libraries with folders, files of many kinds, some of them with versions, and something in the trash."""

import urllib.parse

import documents
import pictures
from private_server import Person

BOUNDARY = "a-boundary-that-is-in-no-file"
Files = dict[str, bytes]


def furnish(residents: dict[str, Person], password: str) -> None:
    demo = residents["demo"]
    studio(Library(demo, "Studio"))
    family(Library(demo, "Family"))
    house(Library(demo, "House"))
    papers(Library(demo, "Papers", password))
    old = Library(demo, "Old laptop")
    old.put("/", {"Desktop.txt": b"Nothing of this is needed any more.\n"})
    demo.delete(f"/api/v2.1/repos/{old.id}")
    choir = Library(residents["ruth"], "Choir")
    choir.put("/Recordings", {name: pictures.melody(notes) for name, notes in documents.TUNES.items()})
    drawings = Library(residents["hana"], "Tea house")
    drawings.put("/", {"Plan.svg": pictures.plan("Tea house", [(0, 0, 36, 36, "Room"), (36, 0, 18, 36, "Veranda")])})


class Library:
    """A new library of somebody."""

    def __init__(self, owner: Person, name: str, password: str = ""):
        self.owner = owner
        secret = {"passwd": password} if password else {}
        self.id = owner.post("/api/v2.1/repos", {"name": name} | secret)["repo_id"]
        if password:
            owner.submit(f"/api/v2.1/repos/{self.id}/set-password", {"password": password})
        link = owner.get(f"/api2/repos/{self.id}/upload-link", p="/")
        self.upload = urllib.parse.urlsplit(link).path

    def put(self, folder: str, files: Files) -> None:
        """All of them as one state. What has such a name already gets a new version."""
        fields = {"parent_dir": "/", "relative_path": folder.strip("/"), "replace": "1"}
        parts = [_part(name, None, value.encode()) for name, value in fields.items()]
        parts += [_part("file", name, content) for name, content in files.items()]
        body = b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()
        self.owner.call("POST", f"{self.upload}?ret-json=1", body, f"multipart/form-data; boundary={BOUNDARY}")

    def put_versions(self, path: str, versions: list[str]) -> None:
        folder, _, name = path.rpartition("/")
        for version in versions:
            self.put(folder or "/", {name: version.encode()})

    def make_folder(self, path: str) -> None:
        self.owner.submit(f"/api2/repos/{self.id}/dir/", {"operation": "mkdir"}, p=path)

    def rename(self, path: str, name: str) -> None:
        self.owner.submit(f"/api2/repos/{self.id}/file/", {"operation": "rename", "newname": name}, p=path)

    def remove(self, folder: str, *names: str) -> None:
        self.owner.submit(f"/api2/repos/{self.id}/fileops/delete/", {"file_names": ":".join(names)}, p=folder)


def _part(name: str, filename: str | None, content: bytes) -> bytes:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"'
    if filename is not None:
        head += f'; filename="{filename}"\r\nContent-Type: application/octet-stream'
    return head.encode() + b"\r\n\r\n" + content + b"\r\n"


def _texts(files: dict[str, str]) -> Files:
    return {name: text.encode() for name, text in files.items()}


def studio(library: Library) -> None:
    pavilion = "/Harbour pavilion"
    library.put_versions(f"{pavilion}/Brief.md", documents.BRIEF)
    library.put_versions(f"{pavilion}/Budget.csv", documents.BUDGETS)
    library.put(f"{pavilion}/Minutes", _texts(documents.MINUTES))
    library.put(f"{pavilion}/Drawings", {
        "Ground floor.svg": pictures.plan("Harbour pavilion, ground floor", [
            (0, 0, 90, 60, "Hall"), (90, 0, 40, 30, "Kitchen"), (90, 30, 40, 30, "Coats"), (0, 60, 130, 25, "Terrace")]),
        "Upper floor.svg": pictures.plan("Harbour pavilion, upper floor", [
            (0, 0, 60, 40, "Gallery"), (60, 0, 35, 40, "Office"), (95, 0, 35, 40, "Store")]),
    })
    library.put(pavilion, {"Quay in the evening.png": pictures.PHOTOGRAPHS["Evening on the quay.png"],
                           "Invoice timber.pdf": pictures.letter(documents.INVOICE)})
    library.put("/School library", _texts({"Questions.txt": "Where do the bicycles go?\nWho has the keys in the holidays?\n"}))
    library.put("/Templates", _texts({"Letter.txt": documents.LETTER_TEMPLATE, "Materials.csv": documents.MATERIALS}))
    library.put("/", _texts({"Read me first.md": "# Studio\n\nOne folder for each project. What is finished moves to *Archive*.\n"}))
    library.make_folder("/Archive")
    library.put("/Templates", _texts({"Letter (old).txt": "Dear Sir or Madam,\n", "Logo sketch.txt": "A house, a wave.\n"}))
    library.remove("/Templates", "Letter (old).txt", "Logo sketch.txt")


def family(library: Library) -> None:
    library.put("/Photos", pictures.PHOTOGRAPHS)
    for name, versions in documents.RECIPES.items():
        library.put_versions(f"/Recipes/{name}", versions)
    library.put("/Music", {"Lullaby.wav": pictures.melody(
        [(4, 0.5), (4, 0.5), (7, 1.0), (4, 0.5), (4, 0.5), (7, 1.0), (4, 0.5), (7, 0.5), (12, 0.7), (11, 0.7), (9, 1.2)])})
    library.put("/", _texts({"Packing.txt": documents.PACKING, "Wishes.txt": "Ida: a telescope\nEmil: a bigger telescope\n"}))
    library.rename("/Packing.txt", "Packing list.txt")
    library.put("/Photos", {"Blurred.png": pictures.landscape(((120, 120, 120), (160, 160, 160)), (0, 0, 0), [])})
    library.remove("/Photos", "Blurred.png")


def house(library: Library) -> None:
    library.put("/", _texts({"House rules.md": documents.HOUSE_RULES, "Meters.csv": documents.METERS}))
    library.put("/Plans", {"Second floor.svg": pictures.plan("Harbour Street, second floor", [
        (0, 0, 50, 45, "Kitchen"), (50, 0, 60, 45, "Living room"), (0, 45, 40, 40, "Bath"), (40, 45, 70, 40, "Bedroom")])})
    library.put("/Contracts", {"Household insurance.pdf": pictures.letter(documents.INSURANCE)})


def papers(library: Library) -> None:
    library.put("/", {"Tax assessment.pdf": pictures.letter(documents.TAX)})
