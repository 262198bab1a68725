import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { macros_changed: renderChanged('macros_changed') }
