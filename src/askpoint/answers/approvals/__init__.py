"""Of a log of approvals: which of its actions may an agent take alone?"""
