"""Makes the «report_name» in three stages.

    python run_pipeline.py                      all of them
    python run_pipeline.py --stage resolve      writes config/resolved_contract.json
    python run_pipeline.py --stage normalize    reads it, writes artifacts/normalized_jobs.json
    python run_pipeline.py --stage aggregate    reads that, writes artifacts/summary.json
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "src"))

from workspace_flow import aggregate, authority, normalize

STAGES = {"resolve": authority.run, "normalize": normalize.run, "aggregate": aggregate.run}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stage", choices=list(STAGES))
    stage = parser.parse_args().stage
    for name, run in STAGES.items():
        if stage in (None, name):
            run(ROOT)


if __name__ == "__main__":
    main()
