import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { quick_replies_changed: renderChanged('quick_replies_changed') }
