import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'

/** The reasons with which conversations end are others. */
export const events = { reasons_changed: logged(z.object({}), {}) }
