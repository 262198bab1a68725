import { renderChanged } from '#server/platform/live/live-render.ts'

export const renderers = { settings_changed: renderChanged('settings_changed') }
