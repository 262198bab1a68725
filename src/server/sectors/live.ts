import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { sectors_changed: renderChanged('sectors_changed') }
