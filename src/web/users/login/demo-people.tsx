import { demoSignIn } from '#shared/users/users.ts'
import { roleLabels } from '#shared/text/text.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'

/** What the server of a demo put into the page; undefined for every other. */
const offer = read(document.querySelector<HTMLMetaElement>('meta[name="balcao-demo-sign-in"]')?.content)

function read(content: string | undefined) {
  return content === undefined ? undefined : demoSignIn.parse(JSON.parse(content))
}

/** The people of the demo, in front of the counter. One click fills the form and signs in. */
export function DemoPeople({ onChoose }: { onChoose: (username: string, password: string) => void }) {
  if (!offer) return null
  const { password, people } = offer
  return (
    <section
      aria-label="Pessoas da demonstração"
      className="absolute inset-x-5 top-full grid gap-2 pt-8 pb-4 md:inset-x-0"
    >
      <p className="text-xs text-ink-2">Demonstração: entre com um clique.</p>
      <ul className="flex flex-wrap gap-1.5">
        {people.map(({ username, name, role }) => (
          <li key={username} className="max-w-full">
            <button
              type="button"
              onClick={() => onChoose(username, password)}
              className={[
                'flex h-8 max-w-full items-center gap-2 rounded-full border border-line-strong',
                'bg-surface pr-3 pl-1 text-sm hover:bg-hover',
              ].join(' ')}
            >
              <Avatar name={name} size={24} />
              <span className="truncate">
                <span className="font-medium">{name.split(' ')[0]}</span>{' '}
                <span className="text-ink-2">{roleLabels[role]}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
