"""What a row of the «report_name» is."""


def build_rows(players, excluded_role, minimum_members):
    """One row for each `«team»`, sorted by it: `team`, `member_count` and `members`.

    Left out are those whose `«role»`, in whatever case and without the spaces around it, is
    `excluded_role`, and then teams with fewer than `minimum_members` members. `members` are the
    names in alphabetical order.
    """
    groups = {}
    for player in players:
        role = player["«role»"].strip().lower()
        if role == excluded_role:
            continue
        groups.setdefault(player["«team»"], []).append(player["name"])
    rows = []
    for team, members in sorted(groups.items(), key=lambda group: group[0]):
        if len(members) < minimum_members:
            continue
        rows.append({
            "team": team,
            "member_count": len(members),
            "members": sorted(members),
        })
    return rows
