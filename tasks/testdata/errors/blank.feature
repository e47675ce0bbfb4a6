

# nothing but a remark
