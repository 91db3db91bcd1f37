"""How sets are lifted, merged or left out until any few items of them fit enough records."""
