"""Reads test files, expected values and configuration of two trees and has the rules compare them."""
