import json,subprocess,os,sys,shutil
D=os.path.dirname(os.path.abspath(__file__))+'/'; R=D+'../../../'
W='/tmp/mist'; os.makedirs(W,exist_ok=True)
for f in os.listdir(R+'Media'):
    if f.endswith('.ogg'): shutil.copy(R+'Media/'+f,W)
for f in os.listdir(D): shutil.copy(D+f,W)
un=lambda t:t.replace('⏎','\n').replace('⇥','\t').replace('␣','\u00a0')
rows=[]
for n,l in enumerate(open(D+'mistakes.txt'),1):
    l=l.rstrip('\n')
    if not l.strip() or l.startswith('#'): continue
    # cells are split by ' | '
    c=l.split(' | ')
    if len(c)<4: # empty 'to'
        c=[x.strip(' ') if i!=1 else x for i,x in enumerate(l.replace(' | |',' |  |').split(' | '))]
    base,old,new,code=c[0],un(c[1]),un(c[2]),c[3].strip()
    extra=c[4].strip() if len(c)>4 else ''
    s=open(D+base+'.yaml').read()
    if old.strip(' ') == '' or old not in s: print('LINE',n,'NOT FOUND',repr(old)); continue
    i=s.index(old)
    if '◆' in new:
        j=i+new.index('◆'); new=new.replace('◆','')
        t=s[:i]+new+s[i+len(old):]; line=t[:j].count('\n')+1
    else:
        t=s[:i]+new+s[i+len(old):]
        k=0
        while k<min(len(old),len(new)) and old[k]==new[k]: k+=1
        line=t[:i+k].count('\n')+1
    if '@' in code: code,line=code.split(' @')[0],int(code.split('@')[1])
    rows.append((n,base,t,line,code,extra,l))
def check(texts,tag):
    names=[]
    for n,base,t in texts:
        f=f'{tag}{n}.yaml'; open(f'{W}/{f}','w').write(t); names.append(f)
    out=[]
    res={}
    p=subprocess.run([R+'.build/debug/entrain','check','--format','json',*names],cwd=W,capture_output=True,text=True)
    try: all=json.loads(p.stdout)
    except Exception: print(p.stdout[-300:],p.stderr[-500:]); raise
    for f in names: res[f]=[]
    for d in all:
        res.setdefault(d['file'],[]).append(d)
    return res
def apply(t,edits):
    L=t.split('\n'); st=[0]
    for x in L: st.append(st[-1]+len(x)+1)
    pos=lambda l,c: min(st[l-1]+c-1,len(t))
    es=sorted([(pos(e['line'],e['column']),pos(e['endLine'],e['endColumn']),e['text']) for e in edits])
    o='';p=0
    for a,b,x in es:
        if a<p:
            if x=='' and b>p: p=b
            continue
        o+=t[p:a]+x; p=max(a,b)
    return o+t[p:]
first=check([(r[0],r[1],r[2]) for r in rows],'m')
after=[];bad={}
mended=0;words=0
for n,base,t,line,code,extra,l in rows:
    ds=first[f'm{n}.yaml']
    hit=[d for d in ds if d['code']==code and d['line']==line]
    if not hit: bad[n]=('NOTFOUND',[(d['code'],d['line'],d['message']) for d in ds],line); continue
    if len(ds)>1 and '-v' in sys.argv: print(n,'several',[(d['code'],d['line']) for d in ds])
    edits=[]
    for d in ds: edits+=d.get('fix',[])
    if not hit[0].get('fix'):
        h=hit[0].get('help','')
        if extra.startswith('!'):
            words+=1
            if extra[1:] not in h+hit[0]['message']: bad[n]=('WORDS',h)
            continue
        if extra and extra in h:
            d=hit[0]; edits.append(dict(line=d['line'],column=d['column'],endLine=d['endLine'],endColumn=d['endColumn'],text=extra))
        else: bad[n]=('NOFIX',h,hit[0]['message']); continue
    after.append((n,base,apply(t,edits)))
second=check(after,'a')
for n,base,t in after:
    ds=second[f'a{n}.yaml']
    if ds: bad[n]=('STILL',[(d['code'],d['line'],d['message'],d.get('help')) for d in ds],[(d['code'],d['line'],d.get('help'),d.get('fix')) for d in first[f'm{n}.yaml']])
    else: mended+=1
other=[f for f in first if not f.startswith('m')]
print('other files',other)
by={r[0]:r for r in rows}
for n in sorted(bad): print(n,by[n][-1],'\n     ',*bad[n])
print(len(rows),'mistakes',mended,'mended',words,'words',len(bad),'bad')
