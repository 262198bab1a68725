import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { sla_changed: renderChanged('sla_changed') }
