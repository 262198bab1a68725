import { type IdentityMode, identityModes } from '#simulator/control-api.ts'

const labels: Record<IdentityMode, string> = {
  pn: 'Número',
  'pn-with-lid': 'Número, com LID ao lado',
  lid: 'Número no lugar do LID (2.3.7)',
  'lid-2.3.6': 'LID, com número ao lado (2.3.6)',
  'lid-only': 'Somente LID',
}

/** How the gateway identifies a phone to the console. */
export const identityOptions = identityModes.map((value) => ({ value, label: labels[value] }))
