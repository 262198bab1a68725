import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { pauses_changed: renderChanged('pauses_changed') }
