"""A day of a policy in Airflow: decide the batch, take in the labels, look at it.

Put it into your folder of DAGs. It needs Airflow 2.7 or later, and askpoint where its workers run.
"""

from datetime import UTC, datetime

from airflow import DAG
from airflow.operators.bash import BashOperator

DEPLOYMENT = "/srv/posts"  # or an address in PostgreSQL

with DAG(
    dag_id="askpoint_posts",
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    schedule="0 6 * * *",
    catchup=False,
    max_active_runs=1,
    tags=["askpoint"],
):
    # a key decides once, so a task that Airflow runs again decides nothing twice
    decide = BashOperator(
        task_id="decide",
        bash_command=f"askpoint decide {DEPLOYMENT} /data/{{{{ ds }}}}.parquet --out /data/{{{{ ds }}}}-decided.parquet",
        retries=3,
    )
    label = BashOperator(
        task_id="label",
        bash_command=f"askpoint label {DEPLOYMENT} /data/{{{{ ds }}}}-labels.csv",
        retries=3,
    )
    # exit code 1 says that somebody should look; Airflow shows such a task as skipped
    watch = BashOperator(
        task_id="watch",
        bash_command=f"askpoint watch {DEPLOYMENT} --notify mail=ops@example.org --publish git=/srv/heads",
        skip_on_exit_code=1,
    )
    decide >> label >> watch
