import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

/** The macros are others. */
export const events = { macros_changed: logged(z.object({}), {}) }
