import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

export const events = { settings_changed: logged(z.object({}), {}) }
