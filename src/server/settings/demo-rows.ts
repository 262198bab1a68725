import type { Db } from '#server/platform/database/db.ts'
import { saveSettings } from './settings.ts'

/** The name and the quick responses of the demonstration's shop. */
export const demoRows = (db: Db): Promise<unknown> =>
  saveSettings(db, {
    companyName: 'Empório Aurora Embalagens',
    quickResponses: [
      {
        shortcut: 'segunda-via',
        text: 'Segue a segunda via do boleto, {{contact}}. Qualquer dúvida, é só chamar.',
      },
      {
        shortcut: 'situacao',
        text: 'O pedido de {{company}} está em separação. O protocolo deste atendimento é {{protocol}}.',
      },
      {
        shortcut: 'sem-estoque',
        text: 'Esse item volta ao estoque na próxima semana. Quer que {{operator}} avise você?',
      },
    ],
  })
