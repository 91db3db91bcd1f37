"""Files and frames to plain columns and back; what they mean is for the nouns to say."""
