"""Ways to predict the secret from matrices; the stack weighs them on records that they have not seen."""
