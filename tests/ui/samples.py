"""What a turn found and ran, for tests of how it is shown."""

from assistant.types import Call, Evidence, ProgramRun

EVIDENCE = (Evidence(1, "world", "Kenya", "currency", "Kenyan shilling", source="GeoNames"),)
CALL = Call("find_entity_or_value", (("Kenya",), ("currency",)), "Found it.", ("x",))
RUN = ProgramRun("world", "answer = 1", (CALL,), ("x",))
