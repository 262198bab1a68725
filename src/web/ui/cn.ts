import { clsx, type ClassValue } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// The names that theme.css adds to Tailwind's own, so that a later class replaces an earlier one of its kind.
const merge = extendTailwindMerge({
  extend: {
    theme: {
      radius: ['tag', 'control', 'card', 'bubble', 'full'],
      shadow: ['float', 'bubble'],
      tracking: ['title', 'figure'],
    },
  },
})

/** Joins class names; of two that say the same thing the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}
