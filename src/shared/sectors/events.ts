import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

/** Sectors, or who is in them, are others. */
export const events = { sectors_changed: logged(z.object({}), {}) }
