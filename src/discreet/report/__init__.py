"""Reports: a study or an audit as one page that needs nothing but itself."""

from discreet.report.audit import audit_page, audit_record
from discreet.report.page import write_page
from discreet.report.reproduction import reproduction_page
from discreet.report.study import study_page

__all__ = ["audit_page", "audit_record", "reproduction_page", "study_page", "write_page"]
