"""Which contract is in force."""

from workspace_flow.io_utils import load_json, write_json


def active_contract(root):
    """The contract of the bundle that release/active_bundle.json names."""
    pointer = load_json(root / "release" / "active_bundle.json")
    return load_json(root / pointer["contract"])


def run(root):
    """Writes the contract in force, as it is, to config/resolved_contract.json."""
    write_json(root / "config" / "resolved_contract.json", active_contract(root))
