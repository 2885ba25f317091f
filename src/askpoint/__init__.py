"""askpoint: which decisions may your model take alone, and what will that cost you?"""
