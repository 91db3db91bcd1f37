"""What the methods for itemset counts share: sizes, trees, laws of their noise, advice."""
