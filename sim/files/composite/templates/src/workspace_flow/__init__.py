"""«package_doc»"""
