import { clsx, type ClassValue } from 'clsx'
import { createTailwindMerge } from 'tailwind-merge'

/** Groups of classes with a common prefix: 'w-4', 'w-full'. */
function named(names: string) {
  return Object.fromEntries(names.split(' ').map((name) => [name, [{ [name]: [() => true] }]]))
}
function isWord(value: string) {
  return /^[a-z]{2,}/.test(value)
}
const textSizes = ['xs', 'sm', 'base', 'lg', 'xl', '2xl']
const borderStyles = ['solid', 'dashed']
const textPlaces = ['left', 'center', 'right']

/**
 * The groups of classes that both components and their callers set. All groups of Tailwind would take three
 * times the bytes.
 */
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    position: ['static', 'relative', 'absolute', 'fixed', 'sticky'],
    display: 'block flex grid hidden inline inline-block inline-flex inline-grid contents'.split(' '),
    flex: [{ flex: ['1', 'auto', 'none'] }],
    shrink: [{ shrink: ['', '0'] }],
    ...named('size w min-w max-w h min-h max-h gap gap-x gap-y p px py pt pr pb pl m mx my mt mr mb ml'),
    ...named('inset inset-x inset-y top right bottom left z overflow overflow-x overflow-y'),
    ...named('items place-items justify justify-items justify-self grid-cols'),
    ...named('rounded rounded-t rounded-r rounded-b rounded-l rounded-tl rounded-tr rounded-bl rounded-br'),
    ...named('leading tracking cursor opacity bg outline-offset'),
    'font-family': [{ font: ['sans', 'mono'] }],
    'font-weight': [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
    'font-size': [{ text: textSizes }],
    'text-align': [{ text: textPlaces }],
    'text-color': [{ text: [(value: string) => !['balance', 'pretty', 'wrap', 'nowrap'].includes(value)] }],
    'border-style': [{ border: borderStyles }],
    'border-color': [{ border: [(value: string) => isWord(value) && !borderStyles.includes(value)] }],
  },
  conflictingClassGroups: {
    size: ['w', 'h'],
    flex: ['shrink'],
    gap: ['gap-x', 'gap-y'],
    p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
    px: ['pr', 'pl'],
    py: ['pt', 'pb'],
    m: ['mx', 'my', 'mt', 'mr', 'mb', 'ml'],
    mx: ['mr', 'ml'],
    my: ['mt', 'mb'],
    inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
    'inset-x': ['right', 'left'],
    'inset-y': ['top', 'bottom'],
    overflow: ['overflow-x', 'overflow-y'],
    rounded: ['t', 'r', 'b', 'l', 'tl', 'tr', 'bl', 'br'].map((side) => `rounded-${side}`),
    'font-size': ['leading'],
  },
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [],
}))

/** Joins class names; of two classes of the same group the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}
