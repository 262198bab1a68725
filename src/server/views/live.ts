import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { views_changed: renderChanged('views_changed') }
