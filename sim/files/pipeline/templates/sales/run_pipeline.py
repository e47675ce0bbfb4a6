"""Makes the «report_name»: `python run_pipeline.py`, without arguments."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "src"))

from pipeline_app.runner import run

if __name__ == "__main__":
    print(f"wrote {run(ROOT)} rows")
