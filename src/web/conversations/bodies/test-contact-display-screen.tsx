import { useId, useState } from 'react'
import { Card } from '#web/ui/layout/card.tsx'
import { cn } from '#web/ui/cn.ts'
import { fieldLook } from '#web/ui/fields/field-look.ts'
import { Page } from '#web/ui/layout/page.tsx'
import { ContactCards } from './contact-cards.tsx'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { sharedContacts } from './shared-contacts.ts'

const one = `Nome: Zefa da Feira
Telefone: (11) 98765-4321
Organização: Feira Livre da Vila
E-mail: zefa@exemplo.com.br
URL: https://exemplo.com.br/zefa`

const several = `2 contatos
${one}

Nome: Raul Encanador
Telefone: (21) 3456-7890`

/** For developers: shows how the text of shared contacts is displayed. @see specification §2 Test page */
export function TestContactDisplayScreen() {
  return (
    <Page
      title="Teste de exibição de contatos"
      subtitle="O texto de uma mensagem de contato, e como ela aparece"
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Trial title="Um contato" start={one} />
        <Trial title="Vários contatos" start={several} />
      </div>
    </Page>
  )
}

function Trial({ title, start }: { title: string; start: string }) {
  const [text, setText] = useState(start)
  const id = useId()
  return (
    <Card className="grid gap-3 p-4">
      <label htmlFor={id} className="text-base font-semibold">
        {title}
      </label>
      <textarea
        id={id}
        rows={11}
        dir="auto"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={cn(fieldLook('lines'), 'font-mono text-sm')}
      />
      <h2 className="text-sm font-semibold text-ink-2">Prévia da mensagem</h2>
      <div
        role="group"
        aria-label={`Prévia: ${title}`}
        className={[
          'justify-self-start rounded-bubble border border-line',
          'bg-surface px-2.5 py-2 text-base shadow-bubble',
        ].join(' ')}
      >
        <Preview text={text} />
      </div>
    </Card>
  )
}

/** As in a chat: the cards, or the plain text if there are none. */
function Preview({ text }: { text: string }) {
  const contacts = sharedContacts({ metadata: {}, content: text })
  return contacts.length > 0 ? (
    <ContactCards contacts={contacts} meta={null} isPreview />
  ) : (
    <RichText text={text} />
  )
}
