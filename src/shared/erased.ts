// What stands in place of what was erased. Apart from the calls of the LGPD, which few screens load.

/** The name of a contact that was anonymized. */
export const erasedName = 'Contato anonimizado'
/** What is shown in place of what a message of such a contact said. */
export const erasedContent = 'Conteúdo anonimizado'
/** The same on one line, whatever the reason. */
export const goneContent = 'Conteúdo apagado'
/** The same of a message whose text is older than texts are kept. */
export const expiredContent = 'Texto apagado pelo prazo de guarda'
