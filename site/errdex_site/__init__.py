"""Pages out of an errdex database: record → HTML, the static build, the browser matcher."""
