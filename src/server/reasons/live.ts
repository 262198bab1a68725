import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { reasons_changed: renderChanged('reasons_changed') }
